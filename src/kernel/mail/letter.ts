/** A mail to one address, in plain text. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that a letter which was sent twice can be recognised. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The mail server refused the letter for good, as it does for unknown addresses. Other errors may pass. */
export class MailRefused extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MailRefused';
  }
}
