/** What another app of the device shares: kept until the page, which opens next, puts it into a draft. */

export const SHARE = '/share';
/** Also what web/chat/offline/shared.ts reads. */
const CACHE = 'partyline-shared';
const MAX_FILES = 10;
const MAX_BYTES = 25 * 1024 * 1024;

export async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData();
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  const words = ['title', 'text', 'url'].map((name) => form.get(name)).filter((each) => typeof each === 'string');
  const text = [...new Set(words.map((each) => each.trim()))].filter((each) => each !== '').join('\n');
  await cache.put(`${SHARE}/text`, new Response(text));
  const files = form.getAll('files').filter((each) => each instanceof File && each.size <= MAX_BYTES) as File[];
  for (const [at, file] of files.slice(0, MAX_FILES).entries()) {
    const headers = { 'Content-Type': file.type, 'X-Name': encodeURIComponent(file.name) };
    await cache.put(`${SHARE}/file/${at}`, new Response(file, { headers }));
  }
  return Response.redirect(SHARE, 303);
}
