// Shows a page of the wallet when the service is unreachable, instead of the browser's own error. It caches
// only that page: the code that requests a signature always comes from the service, and no balance is shown
// from a cache.
const files = ['/offline.html', '/offline.css', '/offline.js', '/icon.svg', '/theme.js']

// Contains a hash of the files, which test/offline.test.ts compares. A new hash makes a new worker, which
// fetches them again.
const shell = 'offline-763b77db'

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(shell)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  const forgetOlder = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name !== shell).map((name) => caches.delete(name)))
  }
  event.waitUntil(forgetOlder())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const kept =
    request.mode === 'navigate'
      ? '/offline.html'
      : files.find((file) => file === new URL(request.url).pathname)
  if (!kept) return
  event.respondWith(
    fetch(request).catch(async () => (await caches.match(kept, { cacheName: shell })) ?? Response.error()),
  )
})
