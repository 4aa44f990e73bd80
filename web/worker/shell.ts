/** The chat's files, kept so that it starts without a network. Each build has a cache of its own. */

interface Shell {
  readonly build: string;
  /** The hash of index.html. */
  readonly page: string;
  readonly files: readonly string[];
}

/** Written by the build. */
declare const __SHELL__: Shell;
const shell: Shell = __SHELL__;

const PREFIX = 'partyline-shell-';
const PAGE = '/index.html';
/** A network that is this slow is as good as none. */
const PATIENCE_MS = 6000;

/** Newer browsers take a list of what need not pass through the worker. */
type Routing = ExtendableEvent & { readonly addRoutes?: (rules: readonly object[]) => Promise<void> };

/** Fails if another node answers with a page of another build. The browser then tries again later. */
export async function keepShell(event: ExtendableEvent): Promise<void> {
  const direct = ['/api/*', '/web/*', '/user_uploads/*', '/thumbnail*'].map((pathname) => ({
    condition: { urlPattern: { pathname } },
    source: 'network',
  }));
  await (event as Routing).addRoutes?.(direct).catch(() => undefined);
  const cache = await caches.open(PREFIX + shell.build);
  const page = new Request(PAGE, { integrity: shell.page, cache: 'no-store', credentials: 'omit' });
  await Promise.all([cache.add(page), cache.addAll(shell.files)]);
}

/** Pages of the previous build may still be open: what is older goes. */
export async function usePreload(registration: ServiceWorkerRegistration): Promise<void> {
  await registration.navigationPreload?.enable();
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  const others = names.filter((name) => name !== PREFIX + shell.build);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

/** The server's page, if it can be had. It names the files of its own build, so no two builds are mixed. */
export async function shellPage(event: FetchEvent): Promise<Response> {
  const asked = (async () => ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request))();
  const cache = await caches.open(PREFIX + shell.build);
  const kept = await cache.match(PAGE);
  if (!kept) return asked;
  const slow = new Promise<undefined>((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
  });
  try {
    return (await Promise.race([asked, slow])) ?? kept;
  } catch {
    return kept;
  } finally {
    event.waitUntil(asked.catch(() => undefined));
  }
}

/** The content of a file with a hash in its name never changes. */
export const savedFile = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);
