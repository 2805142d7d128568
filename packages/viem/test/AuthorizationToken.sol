// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title A token with EIP-3009 that takes signatures as USDC 2.2 does
/// @notice Either form of `transferWithAuthorization` asks a payer that has code by ERC-1271.
contract AuthorizationToken is ERC20, EIP712 {
    bytes32 private constant _TYPE_HASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    mapping(address payer => mapping(bytes32 nonce => bool)) public authorizationState;

    constructor() ERC20("USD Coin", "USDC") EIP712("USD Coin", "2") {}

    function version() external pure returns (string memory) {
        return "2";
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        require(block.timestamp > validAfter && block.timestamp < validBefore, "not now");
        require(!authorizationState[from][nonce], "authorization is used");
        bytes32 hash = keccak256(abi.encode(_TYPE_HASH, from, to, value, validAfter, validBefore, nonce));
        require(SignatureChecker.isValidSignatureNow(from, _hashTypedDataV4(hash), signature), "invalid signature");
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
    }
}
