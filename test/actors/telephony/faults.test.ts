import { testOrders } from './orders';

testOrders('simulated');
