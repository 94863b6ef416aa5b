/** Saves the points, with the circles and texts over them, as a PNG. */
export async function savePicture(stage: HTMLElement, fileName: string): Promise<void> {
  const points = stage.querySelector('canvas');
  const overlay = stage.querySelector('svg');
  if (!points || !overlay) return;
  const { width, height } = stage.getBoundingClientRect();
  const picture = document.createElement('canvas');
  picture.width = points.width;
  picture.height = points.height;
  const context = picture.getContext('2d');
  if (!context) return;
  context.drawImage(points, 0, 0);
  context.scale(points.width / width, points.height / height);
  drawTexts(context, overlay, stage.getBoundingClientRect());
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Draws the circles and texts as the page shows them. An SVG image would not know the page's variables and fonts.
 */
function drawTexts(context: CanvasRenderingContext2D, overlay: SVGSVGElement, frame: DOMRect): void {
  for (const circle of overlay.querySelectorAll('circle')) {
    const style = getComputedStyle(circle);
    context.beginPath();
    context.arc(circle.cx.baseVal.value, circle.cy.baseVal.value, circle.r.baseVal.value, 0, 2 * Math.PI);
    if (style.fill !== 'none') {
      context.fillStyle = style.fill;
      context.fill();
    }
    if (style.stroke !== 'none') {
      context.strokeStyle = style.stroke;
      context.stroke();
    }
  }
  for (const text of overlay.querySelectorAll('text')) {
    const style = getComputedStyle(text);
    const box = text.getBoundingClientRect();
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    const x = box.left - frame.left + box.width / 2;
    const y = box.top - frame.top + box.height / 2;
    if (style.stroke !== 'none') {
      context.lineWidth = 3;
      context.strokeStyle = style.stroke;
      context.strokeText(text.textContent ?? '', x, y);
    }
    context.fillStyle = style.fill;
    context.fillText(text.textContent ?? '', x, y);
  }
}
