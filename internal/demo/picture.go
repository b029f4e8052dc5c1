package demo

import (
	"bytes"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"net/http"
)

func (s *shop) getProductImage(r *http.Request) (reply, error) {
	p, err := s.product(r.PathValue("sku"))
	if err != nil {
		return reply{}, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture(p.SKU)); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusOK, mime: "image/png", body: b.Bytes()}, nil
}

// picture draws a tent between a sky and a meadow. The colour of its cloth
// depends on the SKU alone.
func picture(sku string) image.Image {
	const width, height, ground = 96, 64, 50
	hash := fnv.New32a()
	hash.Write([]byte(sku))
	cloth := hash.Sum32()
	colours := color.Palette{
		color.RGBA{0xbf, 0xdd, 0xee, 0xff},
		color.RGBA{0x5a, 0x7d, 0x3c, 0xff},
		color.RGBA{byte(cloth>>16)/2 + 64, byte(cloth>>8)/2 + 32, byte(cloth)/2 + 32, 0xff},
		color.RGBA{0x2b, 0x24, 0x1e, 0xff},
	}
	const sky, meadow, tent, door = 0, 1, 2, 3
	img := image.NewPaletted(image.Rect(0, 0, width, height), colours)
	for y := range height {
		for x := range width {
			fromPole := max(x-width/2, width/2-x)
			switch {
			case y < ground && y > 14 && fromPole < (y-24)/3:
				img.SetColorIndex(x, y, door)
			case y < ground && fromPole < y-10:
				img.SetColorIndex(x, y, tent)
			case y >= ground:
				img.SetColorIndex(x, y, meadow)
			default:
				img.SetColorIndex(x, y, sky)
			}
		}
	}
	return img
}
