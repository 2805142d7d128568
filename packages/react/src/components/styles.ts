import type { CSSProperties } from 'react'

/**
 * The look of the components. Each value is a custom property with a default that follows the page, so an app changes it
 * in its own style sheet, for a whole page or a part of it.
 */
export const styles = {
  button: {
    font: 'inherit',
    fontWeight: 500,
    minHeight: '2.75rem',
    padding: '0 1.125rem',
    border: 0,
    borderRadius: 'var(--lanyard-radius, 0.5rem)',
    color: 'var(--lanyard-on-primary, Canvas)',
    background: 'var(--lanyard-primary, CanvasText)',
    cursor: 'pointer',
  },
  quiet: {
    color: 'inherit',
    background: 'transparent',
    border: '1px solid var(--lanyard-line, currentColor)',
  },
  input: {
    font: 'inherit',
    minHeight: '2.75rem',
    padding: '0 0.75rem',
    boxSizing: 'border-box',
    width: '100%',
    color: 'inherit',
    background: 'var(--lanyard-field, transparent)',
    border: '1px solid var(--lanyard-line, currentColor)',
    borderRadius: 'var(--lanyard-radius, 0.5rem)',
  },
  stack: { display: 'grid', gap: '0.75rem' },
  row: { display: 'flex', flexWrap: 'wrap', gap: '0.75rem', alignItems: 'center' },
  error: { margin: 0, color: 'var(--lanyard-danger, inherit)' },
} as const satisfies Readonly<Record<string, CSSProperties>>
