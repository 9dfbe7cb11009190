"""The whole service under requests that are made up: valid, nearly valid, damaged and hostile."""
