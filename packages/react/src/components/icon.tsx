/** Outlines of 24 × 24 from Lucide (ISC licence), so that the package needs no library of icons. */
const paths = {
  fingerprint:
    'M12 10a2 2 0 0 0-2 2c0 1.02-.1 2.51-.26 4M14 13.12c0 2.38 0 6.38-1 8.88M17.29 21.02c.12-.6.43-2.3.5-3.02M2 12a10 10 0 0 1 18-6M2 16h.01M21.8 16c.2-2 .131-5.354 0-6M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .34-2M8.65 22c.21-.66.45-1.32.57-2M9 6.8a6 6 0 0 1 9 5.2v2',
  close: 'M18 6 6 18M6 6l12 12',
  lock: 'M7 11V7a5 5 0 0 1 10 0v4M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z',
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
  check: 'M20 6 9 17l-5-5',
  down: 'M12 17V3M6 11l6 6 6-6M19 21H5',
  up: 'm18 9-6-6-6 6M12 3v14M5 21h14',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
} as const

/** Decoration only: the words beside it say the same. */
export const Icon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg className="lanyard-icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
