/** What telephony needs to know of the configuration. */
import type { ProvisioningSettings } from './model/operation';
import type { TextingSettings } from './model/texting-settings';

export interface TelephonySettings extends ProvisioningSettings, TextingSettings {}
