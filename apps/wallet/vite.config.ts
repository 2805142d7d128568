import { precompress } from '@lanyard/ui/build'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Address of the service during development with `vite`. The service itself serves the built wallet. */
const service = 'http://localhost:3000'

/** Modules that nearly every screen uses, excluding the ABIs and encoders, which Home does not need. */
const sharedModules =
  /packages\/ui\/src\/(?!theme|use-font|language)|packages\/calls\/src\/(currency|call-network)|wallet\/src\/(amounts\/(?!currency-select)|networks\/(?!known-module)|errors|holdings|owners\/use-owners|smart-balance\/(units|use-deposits)|operation\/use-activity|api\/use-)|lucide-react|uqr/

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  server: {
    // WebAuthn accepts `localhost` as a secure context, but no IP address.
    host: 'localhost',
    proxy: { '/trpc': service },
  },
  build: {
    target: 'baseline-widely-available',
    // Data URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'connect.html'],
      output: {
        // Home needs about twenty small modules that other screens share. As separate files they would take
        // three round trips (a browser requests six files at a time), each with its own headers.
        codeSplitting: { groups: [{ name: 'shared', test: sharedModules, minShareCount: 2 }] },
      },
    },
    // Apache-2.0 and MIT require their texts to accompany the code; NOTICE.md at the root names the
    // exceptions.
    license: { fileName: 'licenses.md' },
  },
})
