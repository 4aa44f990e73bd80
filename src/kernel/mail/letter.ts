/** An email to one address, in plain text. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for every attempt, so that a letter that was sent twice can be recognised. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The mail server permanently refused the letter, for example for an unknown address. Other errors may pass. */
export class MailRefused extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MailRefused';
  }
}
