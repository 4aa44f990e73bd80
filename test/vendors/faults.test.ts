import { REAL_VENDORS } from '../support/telephony/pbx-vendors';
import { testOrders } from '../actors/telephony/orders';

describe.each(REAL_VENDORS)('Orders to %s', testOrders);
