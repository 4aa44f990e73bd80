/** What telephony needs to know of the configuration. */
import type { ProvisioningSettings } from './model/extensions/operation';
import type { PortalSettings } from './model/portal/portal-settings';
import type { SocketEntrySettings } from './model/socket-settings';
import type { TextingSettings } from './model/texting/texting-settings';

export interface TelephonySettings extends ProvisioningSettings, TextingSettings, SocketEntrySettings, PortalSettings {
  readonly presenceSweepMs: number;
  /** Where the simulated PBX of the demo data listens. */
  readonly pbxSimPort: number;
}
