/** The text of a whole answer, head and body, as Node would write it. */

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
