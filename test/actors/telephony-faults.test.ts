import { testOrders } from './telephony-orders';

testOrders('simulated');
