/** The text of a whole answer, head and body, as Node would write it. */

type Headers = readonly (readonly [string, string])[];

/** For answers of status 200 with these headers and ASCII bodies that keep their connection. */
export function wholeAnswers(headers: Headers, keepAliveMs: number): (requestId: string, body: string) => string {
  const before = `HTTP/1.1 200 OK\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}X-Request-Id: `;
  const end = endOfHead(keepAliveMs);
  return (requestId, body) => `${before}${requestId}\r\nContent-Length: ${body.length}\r\n${end()}${body}`;
}

/** What the head of every answer that keeps its connection ends with. */
export function endOfHead(keepAliveMs: number): () => string {
  const kept = keepAliveMs > 0 ? `Keep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n` : '';
  const after = `Connection: keep-alive\r\n${kept}\r\n`;
  let [second, end] = [0, ''];
  return () => {
    const now = Date.now();
    if (now - second >= 1000 || now < second) {
      second = now - (now % 1000);
      end = `Date: ${new Date(second).toUTCString()}\r\n${after}`;
    }
    return end;
  };
}
