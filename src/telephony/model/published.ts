/** The keys and tokens of the demo data. They are public, so a production server refuses them. */
import type { KernelSettings } from '../../kernel/settings';

export const DEMO_KEYS = { one: 'demo-key-one', two: 'demo-key-two' } as const;
export const DEMO_CARRIER_TOKENS = { one: 'demo-carrier-one', two: 'demo-carrier-two' } as const;

const PUBLISHED: ReadonlySet<string> = new Set([...Object.values(DEMO_KEYS), ...Object.values(DEMO_CARRIER_TOKENS)]);

/** Whether to refuse a key or token even if the database has it, from before the server went to production. */
export const isPublished = ({ nodeEnv }: Pick<KernelSettings, 'nodeEnv'>, secret: string): boolean =>
  nodeEnv === 'production' && PUBLISHED.has(secret);
