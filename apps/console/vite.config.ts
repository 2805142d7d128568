import { precompress } from '@lanyard/ui/build'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Address of the console's role during development with `vite` (README.md). */
const service = 'http://localhost:3100'

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  server: {
    // WebAuthn accepts `localhost` as a secure context, but no IP address.
    host: 'localhost',
    port: 5174,
    proxy: { '/trpc': service, '/changes': service, '/sso': service },
  },
  build: {
    target: 'baseline-widely-available',
    // Data URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // Apache-2.0 and MIT require their texts to accompany the code.
    license: { fileName: 'licenses.md' },
  },
})
