/** The part of the configuration that telephony uses, the kernel's included. */
import type { KernelSettings } from '../kernel/settings';
import type { ProvisioningSettings } from './model/extensions/operation';
import type { PortalSettings } from './model/portal/portal-settings';
import type { SocketEntrySettings } from './model/socket-settings';

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

export interface TelephonySettings
  extends KernelSettings, ProvisioningSettings, TextingSettings, SocketEntrySettings, PortalSettings {
  readonly presenceSweepMs: number;
  /** Port of the simulated PBX that the demo data uses. */
  readonly pbxSimPort: number;
}
