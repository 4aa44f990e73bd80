// A request to which the answer of a live FreePBX is not known. Nothing is made up: it fails, and it is remembered.

export class NeverRecorded extends Error {
  constructor(what: string) {
    super(`no answer of a live FreePBX to this was ever recorded: ${what}`);
  }
}
