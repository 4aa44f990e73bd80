/** What telephony needs to know of the configuration. */
import type { ProvisioningSettings } from './model/operation';

export type TelephonySettings = ProvisioningSettings;
