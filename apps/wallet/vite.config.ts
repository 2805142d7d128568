import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `vite` finds the service while the wallet is worked on; the built wallet is served by the service itself. */
const service = 'http://localhost:3000'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    // WebAuthn takes `localhost` as a secure context, an IP address it does not.
    host: 'localhost',
    proxy: { '/trpc': service },
  },
  build: {
    target: 'baseline-widely-available',
    // Data URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // Apache-2.0 and MIT ask for their texts where the code goes; NOTICE.md at the root names the exceptions.
    license: { fileName: 'licenses.md' },
    // One script of 210 kB compressed; splitting it would only add round trips to the first screen.
    chunkSizeWarningLimit: 800,
  },
})
