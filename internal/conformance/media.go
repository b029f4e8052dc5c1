package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
)

// pixel is a PNG image of one red pixel.
func pixel() []byte {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	img.Set(0, 0, color.NRGBA{R: 255, A: 255})
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic("conformance: encode one pixel: " + err.Error())
	}
	return out.Bytes()
}

// silence is a WAV file of one second's first sample: 8 kHz, one channel, 8 bits.
func silence() []byte {
	var out bytes.Buffer
	out.WriteString("RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00")
	out.Write(binary.LittleEndian.AppendUint16(nil, 1)) // PCM
	out.Write(binary.LittleEndian.AppendUint16(nil, 1)) // channels
	out.Write(binary.LittleEndian.AppendUint32(nil, 8000))
	out.Write(binary.LittleEndian.AppendUint32(nil, 8000)) // bytes a second
	out.Write(binary.LittleEndian.AppendUint16(nil, 1))    // bytes a frame
	out.Write(binary.LittleEndian.AppendUint16(nil, 8))    // bits a sample
	out.WriteString("data\x02\x00\x00\x00\x80\x80")
	return out.Bytes()
}
