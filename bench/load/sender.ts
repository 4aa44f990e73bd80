/** One connection on which requests are posted one after the other. Any status but 200 is an error. */
import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answers';

export interface Sender {
  /** Resolves with the answer's body. */
  post(request: string): Promise<string>;
  close(): void;
}

/** Connects on first use, because servers close connections that stay unused. */
export function openSender(port: number): Sender {
  const waiting: ((body: string) => void)[] = [];
  let socket: Socket | undefined;

  function connected(): Socket {
    const answers = new AnswerReader();
    const made = connect({ port, host: '127.0.0.1', noDelay: true });
    made.on('data', (bytes: Buffer) => {
      for (const { status, body } of answers.read(bytes)) {
        if (status !== 200) throw new Error(`a send was answered ${status}: ${body}`);
        waiting.shift()?.(body);
      }
    });
    made.once('close', () => {
      if (waiting.length > 0) throw new Error('the server closed the connection of a send');
      socket = undefined;
    });
    return made;
  }

  return {
    post: (request) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        socket ??= connected();
        socket.write(request, 'latin1');
      }),
    close: () => void socket?.destroy(),
  };
}

/** A form request as it is sent. */
export function formRequest(
  path: string,
  authorization: string,
  form: Readonly<Record<string, string>>,
  host = '127.0.0.1',
): string {
  const body = new URLSearchParams(form).toString();
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: bench\r\nAuthorization: ${authorization}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}
