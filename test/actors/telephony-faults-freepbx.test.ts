import { testOrders } from './telephony-orders';

testOrders('freepbx');
