/** The supported carriers, by name. */
import type { CarrierName } from '../model/texting/carrier-account';
import { bandwidth } from './bandwidth';
import type { Carrier } from './carrier';
import { simulated } from './simulated';
import { telnyx } from './telnyx';
import { twilio } from './twilio';

const CARRIERS: Readonly<Record<CarrierName, Carrier>> = { simulated, telnyx, twilio, bandwidth };

export const carrierNamed = (name: CarrierName): Carrier => CARRIERS[name];
