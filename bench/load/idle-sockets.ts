/** Sockets that connect and then do nothing. */
import { program, type Shape } from '../harness/program';
import { connectClients } from './sockets';

export interface IdleSockets extends Shape {
  readonly options: { readonly port: number; readonly clients: number; readonly token: string };
  readonly ready: null;
}

program<IdleSockets>(async ({ port, clients, token }) => {
  await connectClients([port], clients, token);
  return { ready: null };
});
