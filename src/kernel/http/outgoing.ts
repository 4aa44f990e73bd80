/** What a route returns when its value alone does not say everything: another status, or headers. */
export class Outgoing {
  readonly value: unknown;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(value: unknown, more: { status?: number; headers?: Readonly<Record<string, string>> } = {}) {
    this.value = value;
    this.status = more.status;
    this.headers = more.headers ?? {};
  }
}
