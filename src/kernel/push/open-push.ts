/** What a product needs to send pushes. */
import type { OutboundHttp } from '../outbound/outbound-http';
import type { Database } from '../mysql/pool';
import type { Secrets } from '../secrets/secrets';
import { openPushKeys } from './push-keys';
import type { Push } from './send-push';

export interface PushSettings {
  readonly push: 'on' | 'off';
  readonly pushPauseMs: number;
  readonly publicUrl: string;
  readonly mailFrom: string;
}

export interface OpenPush extends Push {
  readonly isOn: boolean;
  /** The least time between the pushes to one device: what comes meanwhile goes together. */
  readonly pauseMs: number;
}

export const openPush = (
  parts: { readonly mysql: Database; readonly secrets: Secrets },
  outbound: OutboundHttp,
  settings: PushSettings,
): OpenPush => ({
  keys: openPushKeys(parts),
  outbound,
  contact: contactOf(settings),
  isOn: settings.push === 'on',
  pauseMs: settings.pushPauseMs,
});

/** Push services require one, and turn to it if a server disturbs them. */
export function contactOf({ publicUrl, mailFrom }: Pick<PushSettings, 'publicUrl' | 'mailFrom'>): string {
  if (publicUrl.startsWith('https:')) return publicUrl;
  const [, address] = /([^\s<>]+@[^\s<>]+)>?$/.exec(mailFrom) ?? [];
  return `mailto:${address ?? 'nobody@example.invalid'}`;
}
