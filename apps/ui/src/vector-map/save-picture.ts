/** Saves the points, with the shapes and texts over them, as a PNG. */
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
  drawOverlay(context, overlay, stage.getBoundingClientRect());
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Draws each shape and text with its computed style. If the whole SVG were drawn as one image, it would lose the page's
 * CSS variables and fonts.
 */
function drawOverlay(context: CanvasRenderingContext2D, overlay: SVGSVGElement, frame: DOMRect): void {
  for (const part of overlay.querySelectorAll('line, circle, rect, text')) {
    const style = getComputedStyle(part);
    context.fillStyle = style.fill;
    context.strokeStyle = style.stroke;
    context.lineWidth = Number.parseFloat(style.strokeWidth);
    if (part instanceof SVGTextElement) drawText(context, part, style, frame);
    else drawShape(context, part as SVGGraphicsElement, style);
  }
}

function drawShape(
  context: CanvasRenderingContext2D,
  shape: SVGGraphicsElement,
  { fill, stroke }: CSSStyleDeclaration,
): void {
  const { a, b, c, d, e, f } = shape.getCTM()!;
  context.save();
  context.transform(a, b, c, d, e, f);
  context.beginPath();
  if (shape instanceof SVGLineElement) {
    context.moveTo(shape.x1.baseVal.value, shape.y1.baseVal.value);
    context.lineTo(shape.x2.baseVal.value, shape.y2.baseVal.value);
  } else if (shape instanceof SVGCircleElement) {
    context.arc(shape.cx.baseVal.value, shape.cy.baseVal.value, shape.r.baseVal.value, 0, 2 * Math.PI);
  } else if (shape instanceof SVGRectElement) {
    const { x, y, width, height } = shape;
    context.rect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value);
  }
  if (fill !== 'none') context.fill();
  if (stroke !== 'none') context.stroke();
  context.restore();
}

function drawText(
  context: CanvasRenderingContext2D,
  text: SVGTextElement,
  { fontWeight, fontSize, fontFamily, stroke }: CSSStyleDeclaration,
  frame: DOMRect,
): void {
  const box = text.getBoundingClientRect();
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const x = box.left - frame.left + box.width / 2;
  const y = box.top - frame.top + box.height / 2;
  if (stroke !== 'none') context.strokeText(text.textContent ?? '', x, y);
  context.fillText(text.textContent ?? '', x, y);
}
