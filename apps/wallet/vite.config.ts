import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFolder } from './scripts/compress.ts'

/** Where `vite` finds the service while the wallet is worked on; the built wallet is served by the service itself. */
const service = 'http://localhost:3000'

/** What nearly every screen draws with; not the ABIs and encoders, which Home does not need. */
const sharedModules =
  /wallet\/src\/(ui|amounts|networks|errors|owners\/use-owners|smart-balance\/(units|use-deposits)|screens\/activity\/use-activity|api\/use-)|lucide-react|uqr/

/** After the files are written, each text gets its compressed twins. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: ({ dir }) => (dir ? compressFolder(dir) : undefined),
})

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  server: {
    // WebAuthn takes `localhost` as a secure context, an IP address it does not.
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
        // Home needs about twenty small modules that other screens share: as files they would be three round trips
        // (a browser asks for six at a time), and each would bring its own headers.
        codeSplitting: { groups: [{ name: 'shared', test: sharedModules, minShareCount: 2 }] },
      },
    },
    // Apache-2.0 and MIT ask for their texts where the code goes; NOTICE.md at the root names the exceptions.
    license: { fileName: 'licenses.md' },
  },
})
