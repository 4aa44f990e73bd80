import { testOrders } from './telephony-orders';

testOrders('asterisk-ari');
