// A request whose answer by a live FreePBX is unknown. Nothing is invented: the request fails and is remembered.

export class NeverRecorded extends Error {
  constructor(what: string) {
    super(`no answer of a live FreePBX to this was ever recorded: ${what}`);
  }
}
