/** The keys and tokens of the demo data: everybody can read them, so a production server accepts none of them. */

export const DEMO_KEYS = { one: 'demo-key-one', two: 'demo-key-two' } as const;
export const DEMO_CARRIER_TOKENS = { one: 'demo-carrier-one', two: 'demo-carrier-two' } as const;

const PUBLISHED: ReadonlySet<string> = new Set([...Object.values(DEMO_KEYS), ...Object.values(DEMO_CARRIER_TOKENS)]);

export interface WhereItRuns {
  readonly nodeEnv: 'development' | 'test' | 'production';
}

/** Whether a key or token is refused here although the database may know it, from a time before production. */
export const isPublished = ({ nodeEnv }: WhereItRuns, secret: string): boolean =>
  nodeEnv === 'production' && PUBLISHED.has(secret);
