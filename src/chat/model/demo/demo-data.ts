/** The types of demo data. */

export type DemoPerson = 'owner' | 'member' | 'other' | 'guest' | 'webhook-bot' | 'helper-bot';

export interface DemoStream {
  readonly name: string;
  readonly description: string;
  readonly color: string;
}

export interface DemoMessage {
  readonly minutesAgo: number;
  readonly by: DemoPerson;
  /** A stream and a topic, or the recipients. */
  readonly to: readonly [stream: string, topic: string] | { readonly people: readonly DemoPerson[] };
  /** `{picture}` becomes a link to the picture. */
  readonly content: string;
  readonly picture?: string;
  readonly reactions?: Readonly<Record<string, readonly DemoPerson[]>>;
  /** For a poll: who votes for which option. */
  readonly votes?: readonly (readonly [DemoPerson, number])[];
  readonly isUnread?: true;
}
