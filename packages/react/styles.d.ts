/* `import '@lanyard/react/styles.css'` has no values. Compilers that check such imports want a declaration. */
export {}
