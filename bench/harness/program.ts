/** The child side of a benchmark program: opened once, run repeatedly, ended with its parent. */

import { keepRequestsYoung } from '../../src/engine';

/** The message types of a program. */
export interface Shape {
  readonly options: unknown;
  /** What it reports once it is open. */
  readonly ready: unknown;
  readonly order: unknown;
  readonly report: unknown;
}

export interface Opened<S extends Shape> {
  readonly ready: S['ready'];
  run?(order: S['order']): Promise<S['report']>;
}

export type Message = { readonly open: unknown } | { readonly run: unknown };
export type Reply = { readonly value: unknown } | { readonly error: string };

export function program<S extends Shape>(open: (options: S['options']) => Promise<Opened<S>>): void {
  // As every node and worker, so that limits have what they have.
  keepRequestsYoung();
  let opened: Opened<S> | undefined;

  async function obey(message: Message): Promise<unknown> {
    if ('open' in message) {
      opened = await open(message.open);
      return opened.ready;
    }
    if (!opened?.run) throw new Error('it has nothing to run');
    return opened.run(message.run);
  }

  process.on('message', (message: Message) => {
    obey(message).then(
      (value) => process.send?.({ value } satisfies Reply),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) } satisfies Reply),
    );
  });
  // The parent has released it or died.
  process.on('disconnect', () => process.exit(0));
}
