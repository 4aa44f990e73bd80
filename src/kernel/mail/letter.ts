/** An email to one address: plain text, and the same as HTML. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The same for every attempt, so that a letter that was sent twice can be recognised. */
  readonly messageId?: string;
  /** The same for all letters about one thing, so that mail programs show them together. */
  readonly threadId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The mail server permanently refused the letter, for example for an unknown address. Other errors may pass. */
export class MailRefused extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MailRefused';
  }
}
