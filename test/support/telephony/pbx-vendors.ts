/** How the simulated PBX is addressed: by its own API, or by that of a vendor. */
import { VENDORS, type Vendor, type VendorName } from '../../../simulators/pbx/vendors';

export type PbxVendor = 'simulated' | VendorName;

type OrderTests = Pick<Vendor, 'changesAfterLoss' | 'faults'>;

export const PBX_VENDORS: Readonly<Record<PbxVendor, OrderTests & Partial<Vendor>>> = {
  simulated: { changesAfterLoss: 1, faults: ['error', 'hang', 'reset', 'garbage', 'slow', 'only-say-yes'] },
  ...VENDORS,
};

export const REAL_VENDORS = Object.keys(VENDORS) as VendorName[];
