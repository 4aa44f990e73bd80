// The PBXs of other vendors that the simulator plays. The addresses of their instances are /{folder}/{uuid}.
import { callAsterisk, USER } from './asterisk/ari';
import { callFreePbx } from './freepbx/freepbx';
import { CLIENT } from './freepbx/tokens';

export interface Vendor {
  folder: string;
  call: typeof callFreePbx;
  /** Of the user that may change everything. */
  credentials: string;
  /** How many changes it is asked for when the answer to the first of them is lost. */
  changesAfterLoss: number;
  /** Ways of failing that orders are tried with. All vendors use the same wire, so a few for each are enough. */
  faults: readonly string[];
}

const DEFINITIONS = {
  freepbx: {
    folder: 'freepbx',
    call: callFreePbx,
    credentials: `${CLIENT.id}:${CLIENT.secret}`,
    changesAfterLoss: 3,
    faults: ['error', 'hang', 'only-say-yes'],
  },
  'asterisk-ari': {
    folder: 'asterisk',
    call: callAsterisk,
    credentials: `${USER.name}:${USER.password}`,
    changesAfterLoss: 4,
    faults: ['reset', 'garbage', 'only-say-yes'],
  },
} satisfies Record<string, Vendor>;

/** By the name of their backend. */
export type VendorName = keyof typeof DEFINITIONS;
export const VENDORS: Readonly<Record<VendorName, Vendor>> = DEFINITIONS;
