import styles from './bridge-drawing.module.css';

const width = 1600;
const deck = 66;
const height = 200;

/** A line drawing of a trestle bridge along the lower edge of the first screen. */
export function BridgeDrawing() {
  return (
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMax slice"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.2"
      aria-hidden="true"
    >
      <path d={lines.deck} />
      <path d={lines.towers} />
      <path d={lines.braces} opacity=".45" />
      <path d={lines.spans} opacity=".3" />
    </svg>
  );
}

const lines = draw();

function draw() {
  const rail = deck + 9;
  const parts = { deck: `M0 ${deck}H${width}M0 ${rail}H${width}`, towers: '', braces: '', spans: '' };
  for (let x = -40; x < width; x += 16) parts.deck += `M${x} ${deck}v9`;
  for (let x = 20; x < width + 60; x += 104) {
    const ground = height + 10;
    parts.towers += `M${x - 9} ${rail} ${x - 30} ${ground}M${x + 9} ${rail} ${x + 30} ${ground}M${x} ${rail}V${ground}`;
    parts.towers += `M${x - 16} ${deck + 42}h32M${x - 22} ${deck + 78}h44M${x - 27} ${deck + 112}h54`;
    parts.braces += `M${x - 12} ${deck + 12} ${x + 22} ${deck + 78}M${x + 12} ${deck + 12} ${x - 22} ${deck + 78}`;
    parts.braces += `M${x - 22} ${deck + 78} ${x + 28} ${deck + 130}M${x + 22} ${deck + 78} ${x - 28} ${deck + 130}`;
    parts.spans += `M${x + 22} ${deck + 78} ${x + 82} ${deck + 10}M${x + 14} ${deck + 10} ${x + 82} ${deck + 78}`;
  }
  return parts;
}
