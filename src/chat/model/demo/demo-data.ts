/** What demo data are made of. */

export type DemoPerson = 'owner' | 'member' | 'other' | 'guest' | 'webhook-bot' | 'helper-bot';

export interface DemoStream {
  readonly name: string;
  readonly description: string;
  readonly color: string;
}

export interface DemoMessage {
  readonly minutesAgo: number;
  readonly by: DemoPerson;
  /** A stream and a topic, or the people it goes to. */
  readonly to: readonly [stream: string, topic: string] | { readonly people: readonly DemoPerson[] };
  /** `{picture}` becomes a link to the picture. */
  readonly content: string;
  readonly picture?: string;
  readonly reactions?: Readonly<Record<string, readonly DemoPerson[]>>;
  /** In a poll: who votes for which of its options. */
  readonly votes?: readonly (readonly [DemoPerson, number])[];
  readonly isUnread?: true;
}
