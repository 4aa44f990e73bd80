/** The part of the configuration that telephony uses, the kernel's included. */
import type { MailerSettings } from '../kernel/mail/mailer';
import type { KernelSettings, RateRule } from '../kernel/settings';
import type { ProvisioningSettings } from './model/extensions/operation';

export interface TextingSettings {
  /** The public base URL. */
  readonly publicUrl: string;
  readonly carrierCallMs: number;
  readonly carrierUnknownMs: number;
  readonly carrierGiveUpMs: number;
  readonly fileLimitBytes: number;
  readonly fileUrlMs: number;
  readonly breakerOpenMs: number;
  readonly breakerFailures: number;
}

/** The texting socket and presence. */
export interface PresenceSettings {
  readonly presenceMs: number;
  readonly presenceGraceMs: number;
}

export interface FeedSettings {
  readonly eventReplayMost: number;
}

export interface SocketEntrySettings extends PresenceSettings, FeedSettings {
  readonly sessionDays: number;
  readonly socketsPerKey: number;
  readonly socketAuthMs: number;
  readonly socketAuthTries: number;
  readonly socketAuthLimit: RateRule | null;
  readonly socketEventLimit: RateRule | null;
}

/** Signing in to the portal. */
export interface PortalSettings extends MailerSettings {
  /** The public base URL. */
  readonly publicUrl: string;
  readonly authMethods: readonly string[];
  readonly sessionDays: number;
  readonly loginLimit: RateRule | null;
  readonly passwordResetLimit: RateRule | null;
  readonly outboundNetworks: readonly string[];
  readonly outboundHosts: Readonly<Record<string, string>>;
  readonly push: 'on' | 'off';
  readonly pushPauseMs: number;
}

export const isForDevelopment = ({ nodeEnv, authMethods }: PortalSettings): boolean =>
  nodeEnv !== 'production' && authMethods.includes('dev');

export interface TelephonySettings
  extends KernelSettings, ProvisioningSettings, TextingSettings, SocketEntrySettings, PortalSettings {
  readonly presenceSweepMs: number;
  /** Port of the simulated PBX that the demo data uses. */
  readonly pbxSimPort: number;
}
