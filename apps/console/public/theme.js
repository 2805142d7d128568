// Runs before the first paint, so that neither a chosen theme nor a font that is in the cache flashes. A file of its
// own: the content security policy allows no inline script. `@lanyard/ui` writes the values.
try {
  const theme = localStorage.getItem('lanyard.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (localStorage.getItem('lanyard.font')) document.documentElement.dataset.font = ''
} catch {
  // Storage is blocked: the system's theme stays.
}
