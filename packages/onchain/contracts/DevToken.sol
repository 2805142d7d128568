// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title The settlement token of local networks
/// @notice An ERC-20 that anyone may mint. It takes the place of USDC on local networks, so it must never be deployed
/// where its tokens could be mistaken for money. Like USDC 2.2 it takes payments that are signed off the chain
/// (EIP-3009), and asks a payer that has code by ERC-1271.
contract DevToken is ERC20, EIP712 {
    bytes32 private constant _TYPE_HASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    uint8 private immutable DECIMALS;

    /// @notice Whether an authorization was used.
    mapping(address payer => mapping(bytes32 nonce => bool)) public authorizationState;

    error AuthorizationNotNow();
    error AuthorizationUsed();
    error InvalidSignature();

    /// @param decimals_ 6 like USDC; 18 on one local network, so that scaling is always tested.
    constructor(string memory name_, string memory symbol_, uint8 decimals_) ERC20(name_, symbol_) EIP712(name_, "2") {
        DECIMALS = decimals_;
    }

    /// @notice Creates `amount` base units for `to`. Anyone may call it.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice The version of the EIP-712 domain.
    function version() external pure returns (string memory) {
        return "2";
    }

    /// @notice Pays with an authorization of an EOA.
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

    /// @notice Pays with an authorization of an EOA or a contract. Anyone may bring it, once.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) revert AuthorizationNotNow();
        if (authorizationState[from][nonce]) revert AuthorizationUsed();
        bytes32 hash = keccak256(abi.encode(_TYPE_HASH, from, to, value, validAfter, validBefore, nonce));
        if (!SignatureChecker.isValidSignatureNow(from, _hashTypedDataV4(hash), signature)) revert InvalidSignature();
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
    }

    /// @inheritdoc ERC20
    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }
}
