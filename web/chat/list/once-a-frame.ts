/** Runs in the next frame, once, however often it is wanted until then: to look where things are makes the browser place them. */
export function onceAFrame(run: () => void): () => void {
  let isWanted = false;
  return () => {
    if (isWanted) return;
    isWanted = true;
    requestAnimationFrame(() => {
      isWanted = false;
      run();
    });
  };
}
