/** One connection on which requests are posted one after the other; anything but success is an error. */
import { connect } from 'node:net';
import { AnswerReader } from './answers';

export interface Sender {
  /** Resolves with the answer's body. */
  post(request: string): Promise<string>;
  close(): void;
}

export async function openSender(port: number): Promise<Sender> {
  const answers = new AnswerReader();
  const waiting: ((body: string) => void)[] = [];
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('data', (bytes: Buffer) => {
    for (const { status, body } of answers.read(bytes)) {
      if (status !== 200) throw new Error(`a send was answered ${status}: ${body}`);
      waiting.shift()?.(body);
    }
  });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    post: (request) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        socket.write(request, 'latin1');
      }),
    close: () => void socket.destroy(),
  };
}

/** A form as it goes over the wire. */
export function formRequest(path: string, authorization: string, form: Readonly<Record<string, string>>): string {
  const body = new URLSearchParams(form).toString();
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAuthorization: ${authorization}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}
