/** Presence: each client's report, and the wire format. */

import type { Wire } from '../../../kernel/text/wire';
import type { presenceAnswer, presenceReport, slimReport } from '../answers/presence';

export type PresenceStatus = 'active' | 'idle';
export const isPresenceStatus = (text: string): text is PresenceStatus => text === 'active' || text === 'idle';

export interface Report {
  readonly status: PresenceStatus;
  /** In Unix seconds. */
  readonly timestamp: number;
}

/** The desktop app shows the website. */
export const presenceClient = (name: string): string => (name === 'ZulipDesktop' ? 'website' : name.slice(0, 30));

/** There are no push notifications. */
export const wireReport = (client: string, { status, timestamp }: Report) => ({
  client,
  status,
  timestamp,
  pushable: false,
});

/** All clients of a user, and the most recent report. */
export function wirePresence(clients: Readonly<Record<string, Report>>): Record<string, Wire<typeof presenceReport>> {
  const sorted = Object.entries(clients).sort(([, a], [, b]) => a.timestamp - b.timestamp);
  const [client, report] = sorted.at(-1)!;
  const { pushable: _, ...aggregated } = wireReport(client, report);
  return {
    aggregated,
    ...Object.fromEntries(sorted.map(([name, each]) => [name, wireReport(name, each)])),
  };
}

/** When a user was last active, and when any client of theirs last reported. */
export function slimPresence(clients: Readonly<Record<string, Report>>): Wire<typeof slimReport> {
  const reports = Object.values(clients);
  const last = (found: readonly Report[]) => found.reduce((most, { timestamp }) => Math.max(most, timestamp), 0);
  return { active_timestamp: last(reports.filter(({ status }) => status === 'active')), idle_timestamp: last(reports) };
}

/** For a single user, older reports than this mean offline. */
const OFFLINE_SECONDS = 300;

/** Only the status and time of each client, and whether the user is offline. */
export function briefPresence(
  clients: Readonly<Record<string, Report>>,
  now: number,
): Wire<typeof presenceAnswer>['presence'] {
  const { aggregated, ...others } = wirePresence(clients);
  const brief = ({ status, timestamp }: Wire<typeof presenceReport>) => ({ status, timestamp });
  const isOffline = now - aggregated!.timestamp > OFFLINE_SECONDS;
  return {
    aggregated: { ...brief(aggregated!), ...(isOffline ? { status: 'offline' as const } : {}) },
    ...Object.fromEntries(Object.entries(others).map(([name, report]) => [name, brief(report)])),
  };
}
