/** The service worker of the pages. Nothing of it is imported by a page: it is one file of its own. */
import { type NewAddressEvent, takeNewAddress } from './new-address';
import { takeClick, takePush } from './notices';
import { isChat } from './server';
import { isShellAddress } from './addresses';
import { keepShell, savedFile, shellPage, usePreload } from './shell';
import { SHARE, takeShared } from './shared-files';

declare const self: ServiceWorkerGlobalScope;

// The portal registers this worker for its notices. Only the chat starts without a network.
self.addEventListener('install', (event) => {
  // Pages of the previous build have all they need: files have other names in each build.
  event.waitUntil(Promise.all([isChat ? keepShell(event) : undefined, self.skipWaiting()]));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([isChat ? usePreload(self.registration) : undefined, self.clients.claim()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (!isChat || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (request.method === 'POST' && pathname === SHARE) event.respondWith(takeShared(request));
    else if (request.method === 'GET' && isShellAddress(pathname)) event.respondWith(shellPage(event));
  } else if (request.method === 'GET' && pathname.startsWith('/assets/')) event.respondWith(savedFile(request));
});

self.addEventListener('push', (event) => event.waitUntil(takePush(event.data)));

self.addEventListener('notificationclick', (event) => event.waitUntil(takeClick(event)));

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(takeNewAddress(event as NewAddressEvent));
});
