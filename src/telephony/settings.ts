/** The part of the configuration that telephony uses. */
import type { ProvisioningSettings } from './model/extensions/operation';
import type { PortalSettings } from './model/portal/portal-settings';
import type { SocketEntrySettings } from './model/socket-settings';
import type { TextingSettings } from './model/texting/texting-settings';

export interface TelephonySettings extends ProvisioningSettings, TextingSettings, SocketEntrySettings, PortalSettings {
  readonly presenceSweepMs: number;
  /** Port of the simulated PBX that the demo data uses. */
  readonly pbxSimPort: number;
}
