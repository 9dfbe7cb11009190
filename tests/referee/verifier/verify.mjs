// Verifies log files and prints what each says, a line of JSON a file:
//
//     node tests/referee/verifier/verify.mjs [--key HEX] FILE ...
//
// Exit codes: 0 where nothing is wrong, 1 where something is, 2 for wrong arguments.

import { readFileSync } from "node:fs";
import { argv, exit, stderr, stdout } from "node:process";

import { verify } from "./verifier.mjs";

let files = argv.slice(2);
let key;
if (files[0] === "--key") {
  if (!/^[0-9a-f]{64}$/.test(files[1] ?? "")) {
    stderr.write("--key takes 64 hexadecimal digits\n");
    exit(2);
  }
  key = Buffer.from(files[1], "hex");
  files = files.slice(2);
}
if (files.length === 0) {
  stderr.write("usage: verify.mjs [--key HEX] FILE ...\n");
  exit(2);
}
const reports = files.map((file) => ({ file, ...verify(readFileSync(file), key) }));
for (const report of reports) stdout.write(`${JSON.stringify(report)}\n`);
exit(reports.every(({ finding }) => finding === null) ? 0 : 1);
